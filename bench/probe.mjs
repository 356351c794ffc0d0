// A process of its own asks the server over and over whether it is up, so that nobody's work but the server's holds the
// answers back; when told to stop, it says how long each took, in ms; Infinity where there was none.
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MS = 5;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times = [];
let isOver = false;
process.once('message', () => (isOver = true));

const ask = () =>
  new Promise((done) => {
    const began = performance.now();
    get(process.argv[2], { agent }, (reply) => {
      const isUp = reply.statusCode === 200;
      reply.resume().on('end', () => done(isUp ? performance.now() - began : Infinity));
    }).on('error', () => done(Infinity));
  });

await ask();
process.send('ready');
while (!isOver) {
  times.push(await ask());
  await pause(PAUSE_MS);
}
process.send(times, () => process.exit(0));
