/** What differs from one installation to the next; read when it is used, so that nothing holds an old value. */
export const configuration = {
  /** In front of every call's path: empty when the server that serves the client also answers the calls. */
  get baseUrl(): string {
    return import.meta.env.VITE_BASE_URL ?? '';
  },
  /** How long the token's cookie lives where the server does not say it. */
  get sessionDays(): number {
    return Number(import.meta.env.VITE_SESSION_DAYS ?? 1);
  },
  /** How often a read that failed is repeated before that is told. */
  readRetries: 3,
};
