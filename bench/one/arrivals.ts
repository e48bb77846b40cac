import { TAKEN, serveByHand, withBody } from '../http-by-hand.js';
import { markIn, nowUs } from './mark.js';

/**
 * A receiver that records when each event was sent and when its last byte arrived, in microseconds. It refuses requests
 * to `/fails` and never answers those to `/hangs`.
 */
let arrivals: [sentUs: number, arrivedUs: number][] = [];

const REFUSED = 'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n';

serveByHand({
  answer: (head, body) => {
    if (head.startsWith('GET /seen')) return withBody(JSON.stringify({ seen: arrivals.length }));
    if (head.startsWith('GET')) return withBody(JSON.stringify(arrivals));
    if (head.startsWith('DELETE')) arrivals = [];
    if (head.startsWith('POST /fails')) return REFUSED;
    if (head.startsWith('POST /hangs')) return '';
    const sentUs = markIn(body);
    if (sentUs !== undefined) arrivals.push([sentUs, nowUs()]);
    return TAKEN;
  },
});
