/** The longest that each part of an error entry may be: what a browser cuts to, and more than which a server refuses. */
export const ERROR_LIMITS = { type: 20, code: 50, message: 2000, url: 1000, token: 200, user: 100 } as const;

/** A captured client error as it goes over the wire. Rule: screens#errors. */
export interface ErrorEntry {
  type: 'script' | 'ajax';
  code: string;
  message: string;
  url: string;
  /** Epoch ms. */
  time: number;
  token: string;
  userId: string;
  userName: string;
}
