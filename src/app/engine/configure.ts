import { moduleOf } from '#app/engine/module.ts';
import { preview } from '#app/preview.ts';
import { useUser } from '#app/session.ts';

/** Whether the user shapes lists for everybody; nobody does in the preview of a draft. */
export const useMayConfigure = (): boolean => {
  const user = useUser();
  return !preview && user?.access.includes('sysModule:configure') === true;
};

/** Where the editor of a list begins: a part of it, and what of it. */
interface ConfigurePlace {
  at: 'fields' | 'list' | 'newField';
  name?: string;
}

export const configurePath = (menuNo: string, place?: ConfigurePlace): string => {
  const query = place ? `?${new URLSearchParams({ ...place })}` : '';
  return `/sysModuleList/configure/${moduleOf(menuNo)}${query}`;
};
