/** Builds server and client, when the build is older than the sources or `always`. */
export function build(options?: { always?: boolean }): Promise<{ code: number; ms: number; output: string }>;
