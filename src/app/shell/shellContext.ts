import { createContext } from 'react';

/** Whether the frame is around, whose breadcrumb is the page's heading. */
export const ShellContext = createContext(false);
