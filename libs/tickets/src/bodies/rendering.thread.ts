import { parentPort } from 'node:worker_threads';
import { renderBody } from './render-body.js';

parentPort!.on('message', (body: string) => parentPort!.postMessage(renderBody(body)));
parentPort!.postMessage('ready');
