import {
  InvalidWebhook,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookRequest,
  verifyWebhook,
} from './verify-webhook.js';

export interface WebhookHandlerOptions extends VerifyOptions {
  /** If it fails, Deskwire sends the event again. It may receive an event twice. */
  readonly onEvent: (event: WebhookEvent) => void | Promise<void>;
  /** Receives test events instead of `onEvent`, because their records do not exist. */
  readonly onTest?: (event: WebhookEvent) => void | Promise<void>;
  /** Receives the failure of `onEvent`, of the verification, or of reading the body. */
  readonly onError?: (error: unknown) => void | Promise<void>;
}

/** Four times what the guide asks every receiver to accept. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** For handlers of a `Request`: Workers, Deno, Bun, and `export const POST` of a route in Next. */
export const fetchWebhook =
  (options: WebhookHandlerOptions) =>
  async ({ headers, body }: Request): Promise<Response> =>
    new Response(null, {
      status: await statusFor(async () => ({ headers, body: await bytesOf(body ?? []) }), options),
    });

/** A request of Node, of Express, or of an API route of Next with `bodyParser: false`. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: unknown;
}

interface NodeResponse {
  writeHead(status: number): { end(): unknown };
}

/** For `http.createServer`, Express and API routes of Next. The body must not be parsed before. */
export const nodeWebhook =
  (options: WebhookHandlerOptions) =>
  async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const { headers } = request;
    const read = async () => ({ headers, body: request.body ?? (await bytesOf(request)) });
    response.writeHead(await statusFor(read, options)).end();
  };

interface FastifyServer {
  removeContentTypeParser(type: string): unknown;
  addContentTypeParser(type: string, options: ParserOptions, parser: Parser): unknown;
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}

type ParserOptions = { parseAs: 'buffer'; bodyLimit: number };
type Parser = (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void;
type FastifyRequest = Pick<NodeRequest, 'headers'> & { readonly body: unknown };
type FastifyReply = { status(code: number): { send(): unknown } };

/** A plugin: `server.register(fastifyWebhook({ … }), { prefix: '/deskwire' })`. Other routes keep their parsers. */
export const fastifyWebhook =
  (options: WebhookHandlerOptions) =>
  async (server: FastifyServer): Promise<void> => {
    server.removeContentTypeParser('application/json');
    // By default Fastify refuses bodies over 1 MiB, which Deskwire sends.
    const parser = { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES } as const;
    server.addContentTypeParser('application/json', parser, (_request, body, done) => done(null, body));
    server.post('/', async ({ headers, body }, reply) =>
      reply.status(await statusFor(async () => ({ headers, body }), options)).send(),
    );
  };

const PARSED = 'The body was parsed before it came here; a signature fits only its bytes.';

type UncheckedRequest = Pick<WebhookRequest, 'headers'> & { readonly body: unknown };

/** Never rejects: in Node, an unhandled rejection would end the process of the receiver. */
async function statusFor(read: () => Promise<UncheckedRequest>, options: WebhookHandlerOptions): Promise<number> {
  try {
    const { headers, body } = await read();
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw new TypeError(PARSED);
    const event = await verifyWebhook({ headers, body }, options);
    await (event.isTest ? options.onTest?.(event) : options.onEvent(event));
    return 204;
  } catch (error) {
    await report(error, options);
    if (error instanceof TooLarge) return 413;
    return error instanceof InvalidWebhook ? 400 : 500;
  }
}

async function report(error: unknown, { onError }: WebhookHandlerOptions): Promise<void> {
  try {
    await onError?.(error);
  } catch (failure) {
    // The SDK has no log of its own, and the failure of the handler would be lost.
    // oxlint-disable-next-line no-console
    console.error(failure);
  }
}

class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Reads a body that is too large to its end: otherwise Node would close the connection before the response. */
async function bytesOf(stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size <= MAX_BODY_BYTES) parts.push(part);
  }
  if (size > MAX_BODY_BYTES) throw new TooLarge(`The body is larger than ${MAX_BODY_BYTES} bytes.`);
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}
