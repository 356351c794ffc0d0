// npm run dev: the server from its sources, started anew when one changes, and vite, which hands /api to it.
import { checkNode, install } from './lib/ready.mjs';
import { runTool, say } from './lib/run.mjs';

checkNode();
await install();
say('http://127.0.0.1:5173 is the client; it speaks to the server on port 3000');
await Promise.race([
  runTool('tsx/dist/cli.mjs', ['watch', '--clear-screen=false', 'src/main/server.ts']),
  runTool('vite/bin/vite.js', ['--port', '5173', '--strictPort', '--clearScreen', 'false']),
]);
// One without the other is of no use.
process.kill(process.pid, 'SIGTERM');
