import { parentPort } from 'node:worker_threads';
import { type Markup, renderBody } from './render-body.js';

parentPort!.on('message', (written: Markup) => parentPort!.postMessage(renderBody(written)));
parentPort!.postMessage('ready');
