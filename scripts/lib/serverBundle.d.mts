import type { BuildOptions } from 'esbuild';

export function serverBundle(outdir: string, name?: string): BuildOptions;
export function commandBundle(outdir: string): BuildOptions;
