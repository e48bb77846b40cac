import type { AddressInfo } from 'node:net';
import type { OpenApiContract } from './openapi-contract.js';

export interface ApiResponse {
  /** The operation, such as `PUT /v1/tickets/{number}/state`; only under `/v1`. */
  readonly operation?: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests read answers as the clients of the API do, by name; what is not there fails the test.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/**
 * Calls the API as a program would, over HTTP with a bearer token, and checks every response against the OpenAPI
 * document.
 */
export class ApiClient {
  constructor(
    readonly base: string,
    readonly token?: string,
    private readonly contract?: OpenApiContract,
  ) {}

  get = (path: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    this.send('GET', path, undefined, headers);
  post = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    this.send('POST', path, body, headers);
  put = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    this.send('PUT', path, body, headers);
  patch = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    this.send('PATCH', path, body, headers);
  delete = (path: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    this.send('DELETE', path, undefined, headers);

  /** Sends a text, bytes or a form unchanged, and anything else as JSON. */
  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    const answer = await fetch(new URL(path, this.base), {
      method,
      redirect: 'manual',
      headers: {
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isWritten(body) ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const contentType = answer.headers.get('content-type') ?? '';
    const parsed: unknown = /json/.test(contentType) && text ? JSON.parse(text) : undefined;
    const { pathname } = new URL(path, this.base);
    const { status } = answer;
    const operation = pathname.startsWith('/v1/')
      ? this.contract?.check({ method, path: pathname, status, contentType, body: parsed })
      : undefined;
    return { operation, status, headers: answer.headers, text, body: parsed };
  }
}

const isWritten = (body: unknown): body is string | FormData | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array;

export const baseUrlOf = (server: { address(): unknown }): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
