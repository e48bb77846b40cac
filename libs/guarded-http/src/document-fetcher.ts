import { type PrivateLog, checkOutgoingUrl } from '#libs/address-guard';
import type { Settings } from '#libs/settings';
import { Connection } from './connection-pool.js';
import { type Dialler, targetOf } from './diallers.js';
import { type ExchangeResult, exchange, headerOf, withoutResponse } from './exchange.js';
import { ExchangeInterrupted } from './failure.js';
import { newDialler } from './new-dialler.js';
import { Stop } from './stop.js';

/** An unavailable document may be there later. */
export type FetchedDocument =
  | { readonly kind: 'document'; readonly text: string; readonly cacheControl: string | null }
  | { readonly kind: 'refused' | 'unavailable'; readonly detail: string };

const MAX_DOCUMENT_BYTES = 5 * 1024;
const MAX_FETCHES = 8;
const FETCH_TIMEOUT_MS = 5_000;
const HEADERS = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Deskwire' };
const JSON_TYPE = /^application\/([\w.-]+\+)?json *(;|$)/i;

/** Reads small JSON documents. Follows no redirect. */
export class DocumentFetcher {
  private readonly running = new Map<string, Promise<FetchedDocument>>();

  constructor(
    private readonly dialler: Dialler,
    private readonly settings: { readonly requireHttps: boolean; readonly timeoutMs?: number },
  ) {}

  /** Never rejects. Concurrent callers share the request to a URL. */
  fetch(address: string): Promise<FetchedDocument> {
    const running = this.running.get(address);
    if (running) return running;
    const checked = checkOutgoingUrl(address, this.settings);
    if (!checked.ok) return Promise.resolve(refused(`its address ${checked.message}`));
    if (this.running.size >= MAX_FETCHES)
      return Promise.resolve(unavailable('too many documents are read at this moment'));
    const fetched = this.get(checked.url).finally(() => this.running.delete(address));
    this.running.set(address, fetched);
    return fetched;
  }

  private async get(url: URL): Promise<FetchedDocument> {
    const { timeoutMs = FETCH_TIMEOUT_MS } = this.settings;
    const stop = new Stop();
    const tooLate = new ExchangeInterrupted('timeout', `no complete response within ${timeoutMs} ms`);
    const timer = setTimeout(() => stop.end(tooLate), timeoutMs);
    const response = await this.request(url, stop);
    clearTimeout(timer);
    return documentIn(response);
  }

  private async request(url: URL, stop: Stop): Promise<ExchangeResult> {
    const dialled = await this.dialler.dial(targetOf(url), stop);
    if (dialled.kind === 'failure') return withoutResponse(dialled);
    const connection = new Connection(url.origin, dialled.socket);
    const path = url.pathname + url.search;
    const response = await exchange(connection, { method: 'GET', path, headers: HEADERS }, stop);
    connection.close();
    return response;
  }
}

export const newDocumentFetcher = (settings: Settings, log?: PrivateLog): DocumentFetcher =>
  new DocumentFetcher(newDialler(settings, log), { requireHttps: settings.WEBHOOK_REQUIRE_HTTPS });

function documentIn({ status, headers, body, truncated, failure }: ExchangeResult): FetchedDocument {
  if (failure) return failure.error === 'too_long' ? refused(failure.detail) : unavailable(failure.detail);
  if (status === 429 || Number(status) >= 500) return unavailable(`the server responded with status ${status}`);
  if (status !== 200) return refused(`the server responded with status ${status}`);
  if ((headerOf(headers, 'content-encoding') ?? 'identity') !== 'identity') return refused('it has a Content-Encoding');
  if (!JSON_TYPE.test(headerOf(headers, 'content-type') ?? '')) return refused('its Content-Type is not JSON');
  if (truncated || Buffer.byteLength(body) > MAX_DOCUMENT_BYTES)
    return refused(`it is longer than ${MAX_DOCUMENT_BYTES / 1024} KiB`);
  return { kind: 'document', text: body, cacheControl: headerOf(headers, 'cache-control') };
}

const refused = (detail: string): FetchedDocument => ({ kind: 'refused', detail });
const unavailable = (detail: string): FetchedDocument => ({ kind: 'unavailable', detail });
