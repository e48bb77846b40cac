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
  /** Receives the failure of `onEvent` or of the verification. */
  readonly onError?: (error: unknown) => void;
}

/** For handlers of a `Request`: Workers, Deno, Bun, and `export const POST` of a route in Next. */
export const fetchWebhook =
  (options: WebhookHandlerOptions) =>
  async (request: Request): Promise<Response> => {
    const body = new Uint8Array(await request.arrayBuffer());
    return new Response(null, { status: await statusFor({ body, headers: request.headers }, options) });
  };

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
    const body = request.body ?? (await bytesOf(request));
    response.writeHead(await statusFor({ body: body as Uint8Array, headers: request.headers }, options)).end();
  };

interface FastifyServer {
  removeContentTypeParser(type: string): unknown;
  addContentTypeParser(type: string, options: { parseAs: 'buffer' }, parser: Parser): unknown;
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}

type Parser = (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void;
type FastifyRequest = Pick<NodeRequest, 'headers'> & { readonly body: unknown };
type FastifyReply = { status(code: number): { send(): unknown } };

/** A plugin: `server.register(fastifyWebhook({ … }), { prefix: '/deskwire' })`. Other routes keep their parsers. */
export const fastifyWebhook =
  (options: WebhookHandlerOptions) =>
  async (server: FastifyServer): Promise<void> => {
    server.removeContentTypeParser('application/json');
    server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    server.post('/', async ({ headers, body }, reply) =>
      reply.status(await statusFor({ body: body as Uint8Array, headers }, options)).send(),
    );
  };

const PARSED = 'The body was parsed before it came here; a signature fits only its bytes.';

async function statusFor(request: WebhookRequest, options: WebhookHandlerOptions): Promise<number> {
  try {
    if (typeof request.body !== 'string' && !(request.body instanceof Uint8Array)) throw new TypeError(PARSED);
    await options.onEvent(await verifyWebhook(request, options));
    return 204;
  } catch (error) {
    options.onError?.(error);
    return error instanceof InvalidWebhook ? 400 : 500;
  }
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}
