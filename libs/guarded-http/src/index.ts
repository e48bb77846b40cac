export { Connection, ConnectionPool, MAX_RESPONSE_BYTES, type PoolLimits } from './connection-pool.js';
export { DocumentFetcher, type FetchedDocument, newDocumentFetcher } from './document-fetcher.js';
export { type Dialler, DirectDialler, ProxyDialler, targetOf } from './diallers.js';
export { type ExchangeResult, MAX_KEPT_BODY_BYTES, exchange, headerOf, withoutResponse } from './exchange.js';
export { ExchangeInterrupted, FAILURE_CODES, type FailureCode, failure } from './failure.js';
export { CONNECT_TIMEOUT_MS, newDialler } from './new-dialler.js';
export { Stop } from './stop.js';
