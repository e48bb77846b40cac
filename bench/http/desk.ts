import { BenchProcess } from '../bench-process.js';
import type { LoadRequest, LoadResult } from './load.js';
import type { HttpBench } from './http-bench.js';

const COUNT = 4000;
const TICKETS = 50;

/** Message posts and ticket reads, compared with bare Fastify and pg handlers that run the same statements. */
export async function measureDesk(stack: HttpBench) {
  const headers = { authorization: `Bearer ${stack.token}`, 'content-type': 'application/json' };
  await stack.load(
    Array.from({ length: TICKETS }, (_, number) => ({
      method: 'POST',
      path: '/v1/tickets',
      headers,
      body: JSON.stringify({ body: 'Hello', from: `customer${number}@client.test`, to: stack.account.mailbox.email }),
    })),
    { concurrency: 1 },
  );
  const bare = BenchProcess.start('bench/http/bare.js', { args: [stack.token, `${TICKETS}`] });
  const { address, perPost, perRead } = await bare.nextJsonWith<{ address: string; perPost: number; perRead: number }>(
    'address',
  );
  const message = JSON.stringify({ body: 'Thank you, that helped.' });
  const posts = many((number) => ({ method: 'POST', path: `/v1/tickets/${number}/messages`, headers, body: message }));
  const reads = many((number) => ({ method: 'GET', path: `/v1/tickets/${number}`, headers }));
  const barePosts = many(() => ({ method: 'POST', path: '/post', headers, body: message }));
  const get = (path: string) => many(() => ({ method: 'GET', path, headers: {} }));

  const post = await stack.load(posts);
  const barePost = await stack.load(barePosts, { base: address });
  const read = await stack.load(reads);
  const bareRead = await stack.load(get('/read'), { base: address });
  const bareOpen = await stack.load(get('/open'), { base: address });
  await bare.stop();
  return {
    messagePosts: { ...compare(post, barePost), statements: perPost },
    ticketReads: { ...compare(read, bareRead), statements: perRead },
    authentication: {
      readsWith: bareRead.perSecond,
      readsWithout: bareOpen.perSecond,
      ratio: bareRead.perSecond / bareOpen.perSecond,
    },
  };
}

const many = (request: (number: number) => LoadRequest): LoadRequest[] =>
  Array.from({ length: COUNT }, (_, index) => request(1 + (index % TICKETS)));

const compare = (ours: LoadResult, bare: LoadResult) => ({
  perSecond: ours.perSecond,
  p99: ours.p99,
  bare: bare.perSecond,
  ratio: ours.perSecond / bare.perSecond,
});
