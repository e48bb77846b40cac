import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { baseUrlOf } from '#test/support/api-client.js';

/** Status 0 ends the connection without a response, and `cut` in the middle of it. */
type Answer = readonly [status: number, retryAfter?: string | undefined, cut?: 'cut'];

/** A server with scripted answers that records its requests. */
export async function scriptedServer(...answers: Answer[]): Promise<{ seen: IncomingMessage[]; base: string }> {
  const seen: IncomingMessage[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const [status, retryAfter, cut] = answers[seen.push(request) - 1]!;
    if (status === 0) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { ...(retryAfter !== undefined && { 'retry-after': retryAfter }) });
    if (cut) response.write('{"ticket":', () => request.socket.destroy());
    else response.end('{"ticket":{"number":1}}');
  };
  const server = createServer(answer).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { seen, base: baseUrlOf(server) };
}
