import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env['REFLOW_SERVER'] ?? 'http://127.0.0.1:3000';

/** What many parts share comes in two files; left to itself it comes in a hundred on a first page. */
const groups = [
  { name: 'libraries', test: /node_modules/, minShareCount: 8, priority: 1 },
  { name: 'parts', minShareCount: 8 },
];

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    manifest: true,
    sourcemap: true,
    target: 'es2023',
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: { port: 5173, proxy: { '/api': server, '/file': server, '/rest': server } },
});
