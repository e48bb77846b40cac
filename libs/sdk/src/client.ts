import { Changes } from './changes.js';
import { DeskwireError, NetworkFailure, parsed } from './errors.js';
import type { Arguments, ItemOf, ListPath, Method, Options, PathOf, Result, UntypedOptions } from './operations.js';
import { Deadline, delayBefore, isWorthRetrying, pause } from './retries.js';

export interface DeskwireOptions {
  /** The address of Deskwire, such as `https://desk.example`. */
  readonly baseUrl: string;
  /** An access token, or a function that returns one. It is called with the refused token, if there was one. */
  readonly token: string | ((refused?: string) => string | Promise<string>);
  /** Retries after transient failures. Default: 4. */
  readonly retries?: number;
  /** Default: 30,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

type AnyPage = { readonly meta: { readonly pagination: { readonly next_page: string | null } } };

/** The API of Deskwire. It refuses unknown fields instead of ignoring them. */
export class Deskwire {
  /** The feed of changes, to keep a copy up to date. */
  readonly changes = new Changes((query, options) => this.get('/v1/changes', { query, ...options }));
  readonly webhooks = {
    /** Registers a webhook under a key of your own, or changes what differs. Call it at each start. */
    ensure: (key: string, body: Options<'/v1/webhooks/by-key/{key}', 'put'>['body']) =>
      this.put('/v1/webhooks/by-key/{key}', { path: { key }, body }),
  };
  private readonly base: string;

  constructor(private readonly options: DeskwireOptions) {
    if (!/^https?:/.test(new URL(options.baseUrl).protocol))
      throw new TypeError(`No address of HTTP: ${options.baseUrl}`);
    this.base = options.baseUrl.replace(/\/$/, '');
  }

  get = <P extends PathOf<'get'>>(path: P, ...[options]: Arguments<P, 'get'>) =>
    this.json<Result<P, 'get'>>('get', path, options);
  post = <P extends PathOf<'post'>>(path: P, ...[options]: Arguments<P, 'post'>) =>
    this.json<Result<P, 'post'>>('post', path, options);
  put = <P extends PathOf<'put'>>(path: P, ...[options]: Arguments<P, 'put'>) =>
    this.json<Result<P, 'put'>>('put', path, options);
  patch = <P extends PathOf<'patch'>>(path: P, ...[options]: Arguments<P, 'patch'>) =>
    this.json<Result<P, 'patch'>>('patch', path, options);
  delete = <P extends PathOf<'delete'>>(path: P, ...[options]: Arguments<P, 'delete'>) =>
    this.json<Result<P, 'delete'>>('delete', path, options);

  /** All pages of a list. */
  async *pages<P extends ListPath>(path: P, ...[options]: Arguments<P, 'get'>): AsyncGenerator<Result<P, 'get'>> {
    const { signal } = (options ?? {}) as UntypedOptions;
    let page = await this.json<AnyPage>('get', path, options);
    for (;;) {
      yield page as Result<P, 'get'>;
      const next = page.meta.pagination.next_page;
      if (next === null) return;
      page = (await this.send('get', this.ownUrl(next), signal ? { signal } : {})) as AnyPage;
    }
  }

  /** All records of a list. */
  async *list<P extends ListPath>(path: P, ...options: Arguments<P, 'get'>): AsyncGenerator<ItemOf<P>> {
    for await (const page of this.pages(path, ...options)) {
      const records = Object.entries(page as object).find(([name]) => name !== 'meta')?.[1] as ItemOf<P>[];
      yield* records;
    }
  }

  private json<T>(method: Method, path: string, options: object | undefined): Promise<T> {
    const { path: values = {}, query = {}, ...rest } = (options ?? {}) as UntypedOptions;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(values[name])));
    const search = searchOf(query);
    return this.send(method, `${this.base}${filled}${search && `?${search}`}`, rest) as Promise<T>;
  }

  /** Never sends the token to another server, even if a response names one. */
  private ownUrl(address: string): string {
    const { pathname, search } = new URL(address);
    return `${this.base}${pathname.slice(new URL(this.base).pathname.replace(/\/$/, '').length)}${search}`;
  }

  private async send(method: Method, url: string, options: UntypedOptions): Promise<unknown> {
    const headers = headersOf(method, options);
    const { retries = 4 } = this.options;
    let refused: string | undefined;
    for (let failures = 0; ; failures += 1) {
      const token = await this.token(refused);
      const outcome = await this.attempt(method, url, { ...options, headers, token });
      if (outcome.error === undefined) return outcome.value;
      options.signal?.throwIfAborted();
      const { error, response } = outcome;
      if (response?.status === 401 && refused === undefined && typeof this.options.token === 'function') {
        refused = token;
        continue;
      }
      const delayMs = delayBefore(failures, response);
      if (failures >= retries || !isWorthRetrying(error) || delayMs === undefined) throw error;
      await pause(delayMs, options.signal);
    }
  }

  private async token(refused: string | undefined): Promise<string> {
    const { token } = this.options;
    return typeof token === 'string' ? token : token(refused);
  }

  /** A connection that ends before the response is a network failure. */
  private async attempt(method: Method, url: string, options: Attempt): Promise<Outcome> {
    const { fetch: send = fetch } = this.options;
    const deadline = new Deadline(options.timeoutMs ?? this.options.timeoutMs ?? 30_000, options.signal);
    try {
      const init = { ...requestOf(method, options), signal: deadline.signal };
      const response = await NetworkFailure.of(send(url, init));
      const text = await NetworkFailure.of(response.text());
      const value = parsed(text);
      // A 301 has the record of a customer who was read by a former address.
      const hasRecord = value !== undefined && (response.ok || response.status === 301);
      if (hasRecord || (response.ok && text === '')) return { value };
      return { error: DeskwireError.of(response, text), response };
    } catch (error) {
      return { error };
    } finally {
      deadline.clear();
    }
  }
}

type Outcome = { readonly value?: unknown; readonly error?: unknown; readonly response?: Response };
type Attempt = UntypedOptions & { readonly headers: Readonly<Record<string, string>>; readonly token: string };

/** Redirects are not followed: the token is for this server only. */
const requestOf = (method: Method, { body, headers, token }: Attempt): RequestInit => ({
  method: method.toUpperCase(),
  redirect: 'manual',
  headers: new Headers({ ...headers, authorization: `Bearer ${token}` }),
  ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
});

/** A POST gets an idempotency key, so that a retry takes effect once. */
function headersOf(method: Method, { body, idempotencyKey, ifMatch }: UntypedOptions): Record<string, string> {
  const key = idempotencyKey ?? (method === 'post' ? crypto.randomUUID() : undefined);
  return {
    accept: 'application/json',
    prefer: 'handling=strict',
    ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
  };
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
}
