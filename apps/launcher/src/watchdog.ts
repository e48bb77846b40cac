import fs from 'node:fs';
import { stopInOrder, type RegisteredProcess } from './process-registry.js';

// A process of its own that holds one end of a pipe. However the launcher ends, the pipe closes, and whatever was on its
// last list is stopped. Its arguments are folders to remove afterwards.
let received = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  received += text;
  received = received.slice(received.lastIndexOf('\n', received.length - 2) + 1);
});
process.stdin.on('end', () => void stopEverything());

async function stopEverything(): Promise<void> {
  await stopInOrder(JSON.parse(received || '[]') as RegisteredProcess[]);
  for (const folder of process.argv.slice(2)) fs.rmSync(folder, { recursive: true, force: true });
}
