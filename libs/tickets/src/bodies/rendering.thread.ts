import { parentPort } from 'node:worker_threads';
import { renderBody } from './render-body.js';

// The program of the thread in which large bodies are rendered. Its first message says that it is ready.
parentPort!.on('message', (body: string) => parentPort!.postMessage(renderBody(body)));
parentPort!.postMessage('ready');
