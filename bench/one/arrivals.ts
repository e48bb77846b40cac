import { TAKEN, serveByHand, withBody } from '../http-by-hand.js';
import { markIn, nowUs } from './mark.js';

/** A receiver that keeps when each event was sent and when its last byte came, in microseconds. */
let arrivals: [sentUs: number, arrivedUs: number][] = [];

serveByHand({
  answer: (head, body) => {
    if (head.startsWith('GET /seen')) return withBody(JSON.stringify({ seen: arrivals.length }));
    if (head.startsWith('GET')) return withBody(JSON.stringify(arrivals));
    if (head.startsWith('DELETE')) arrivals = [];
    const sentUs = markIn(body);
    if (sentUs !== undefined) arrivals.push([sentUs, nowUs()]);
    return TAKEN;
  },
});
