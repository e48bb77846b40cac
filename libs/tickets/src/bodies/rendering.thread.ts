import { parentPort } from 'node:worker_threads';
import { renderBody } from './render-body.js';

// The thread that renders large bodies. Its first message reports that it is ready.
parentPort!.on('message', (body: string) => parentPort!.postMessage(renderBody(body)));
parentPort!.postMessage('ready');
