import { promisify } from 'node:util';
import { constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const compress = promisify(gzip);

/** Below this the wrapping costs more than it saves. */
const MIN_BYTES = 1024;
/** Up to here the way to another thread and back costs more than the work: 21 µs of CPU here, 135 there, for 1.7 KB. */
const SMALL_BYTES = 8 * 1024;
const COMPRESSIBLE_TYPES = /^text\/(html|css|javascript)|^image\/svg|^application\/(problem\+)?json/;

/**
 * Pages with their styles and scripts, and what the API answers. A page holds a secret (the proof of its forms) beside
 * what an address can put into it, but no other site can have it fetched with the session: the cookie is sent along on
 * navigation only, and nobody else sees how long that answer is. An answer that may hold tokens or secrets is `no-store`
 * under `/v1` and `/oauth`, and is sent as it is.
 */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply, payload) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (!COMPRESSIBLE_TYPES.test(type) || Buffer.byteLength(payload) < MIN_BYTES) return payload;
    if (type.includes('json') && reply.getHeader('cache-control') === 'no-store') return payload;
    const vary = reply.getHeader('vary');
    void reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`);
    if (!takesGzip(request.headers['accept-encoding'] ?? '')) return payload;
    void reply.header('content-encoding', 'gzip').removeHeader('content-length');
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (body.length <= SMALL_BYTES) return gzipSync(body);
    return compress(body, { level: type.includes('json') ? constants.Z_BEST_SPEED : constants.Z_DEFAULT_COMPRESSION });
  });
}

/** RFC 9110 section 12.5.3: a weight of 0 is a no. */
function takesGzip(accepted: string): boolean {
  const codings = accepted.split(',').map((one) => one.trim().toLowerCase().split(';'));
  const wanted = codings.find(([coding]) => coding?.trim() === 'gzip');
  return wanted !== undefined && Number(wanted[1]?.trim().replace('q=', '') ?? 1) > 0;
}
