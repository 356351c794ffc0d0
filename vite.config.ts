import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env['REFLOW_SERVER'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
  build: { outDir: 'dist/client', emptyOutDir: true, manifest: true, sourcemap: true, target: 'es2023' },
  server: { port: 5173, proxy: { '/api': server, '/file': server, '/rest': server } },
});
