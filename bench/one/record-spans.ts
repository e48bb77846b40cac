import { createHash } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { nowUs } from './mark.js';

/**
 * Loaded before the product’s own code (`--import`). Records when each request, statement, queue command and POST
 * begins and ends, and writes the spans to a file on exit.
 */
export interface Span {
  readonly name: string;
  readonly fromUs: number;
  readonly toUs: number;
}

const spans: Span[] = [];
const noted = (name: string, fromUs: number): void => void spans.push({ name, fromUs, toUs: nowUs() });

recordStatements();
recordQueue();
recordRequests();
recordPosts();

process.on('exit', () => writeFileSync(process.env['SPANS_FILE']!, JSON.stringify(spans)));

type Method = (this: unknown, ...values: unknown[]) => unknown;

function recordStatements(): void {
  const prototype = Client.prototype as unknown as { query: Method; connect: Method };
  const { query, connect } = prototype;
  prototype.query = function timed(config, ...rest) {
    const fromUs = nowUs();
    const name = nameOf(config);
    const end = (): void => noted(`sql ${name}`, fromUs);
    const result = query.call(this, config, ...rest.map((value) => (isMethod(value) ? followed(value, end) : value)));
    if (result instanceof Promise) result.then(end, () => undefined);
    if (isBatch(config)) config.handleReadyForQuery = followed(config.handleReadyForQuery, end);
    return result;
  };
  prototype.connect = function listening(...values) {
    (this as Client).on('notification', () => noted('heard', nowUs()));
    return connect.apply(this, values);
  };
}

/** Statements of a transaction that are sent together: they begin and are answered together. */
interface Batch {
  readonly statements: readonly { readonly name: string }[];
  handleReadyForQuery: Method;
}

const isBatch = (config: unknown): config is Batch =>
  typeof config === 'object' && config !== null && 'statements' in config;

function nameOf(config: unknown): string | undefined {
  if (isBatch(config)) return config.statements.map(({ name }) => name).join(' + ');
  return typeof config === 'string' ? config : (config as { name?: string }).name;
}

const isMethod = (value: unknown): value is Method => typeof value === 'function';

/** A pool reports by callback. */
function followed(callback: Method, end: () => void): Method {
  return function answered(this: unknown, ...values) {
    end();
    return callback.apply(this, values);
  };
}

function recordQueue(): void {
  const scripts = new Map<string, string>();
  const prototype = Redis.prototype as unknown as { defineCommand: Method; sendCommand: Method };
  const { defineCommand, sendCommand } = prototype;
  prototype.defineCommand = function named(name, definition) {
    const { lua } = definition as { lua: string };
    scripts.set(createHash('sha1').update(lua).digest('hex'), String(name).split(':')[0]!);
    return defineCommand.call(this, name, definition);
  };
  prototype.sendCommand = function timed(command, ...rest) {
    const { name, args, promise } = command as { name: string; args: unknown[]; promise: Promise<unknown> };
    const fromUs = nowUs();
    const script = scripts.get(String(args[0])) ?? name;
    promise.then(
      () => noted(`redis ${script}`, fromUs),
      () => undefined,
    );
    return sendCommand.call(this, command, ...rest);
  };
}

function recordRequests(): void {
  const began = new WeakMap<object, number>();
  subscribe('http.server.request.start', (message) => {
    began.set((message as { request: object }).request, nowUs());
  });
  subscribe('http.server.response.finish', (message) => {
    const fromUs = began.get((message as { request: object }).request);
    if (fromUs !== undefined) noted('request', fromUs);
  });
}

function recordPosts(): void {
  const began = new WeakMap<object, number>();
  subscribe('undici:request:create', (message) => {
    began.set((message as { request: object }).request, nowUs());
  });
  subscribe('undici:request:trailers', (message) => {
    const fromUs = began.get((message as { request: object }).request);
    if (fromUs !== undefined) noted('post', fromUs);
  });
}
