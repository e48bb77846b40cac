import { parseArgs } from 'node:util';
import { measureBacklog } from './delivery/backlog.js';
import { measureFanOut } from './delivery/fan-out.js';
import { measureIsolation } from './delivery/isolation.js';
import { measureQuiet } from './delivery/quiet.js';
import { measureThroughput } from './delivery/throughput.js';
import { measureWorkers } from './delivery/workers.js';
import { measureFilters } from './filters.js';
import { measureConsole } from './http/console.js';
import { measureHttp } from './http/main.js';
import { measureSearch } from './http/search.js';
import { measureMail } from './mail/main.js';
import { measureOne } from './one/main.js';
import { printReport } from './report.js';
import { measureSaturation } from './saturation/main.js';
import { measureSoak } from './soak.js';
import { measureStart } from './start.js';
import { measureWeight } from './weight/main.js';

const HELP = `Measures the product beside baselines of the same run. Compare ratios: rates depend on the machine.

  npm run bench                                 the delivery pipeline, in about a minute
  npm run bench -- isolation                    hanging receivers, and a burst of one account, beside others
  npm run bench -- one                          one event at a time, beside a bare pipeline (--runs, --seconds, --only)
  npm run bench -- saturation                   notes as fast as they are accepted, and four times as many, in about four minutes
  npm run bench -- weight                       what one event costs in WAL, rows, statements and Redis commands (--only)
  npm run bench -- backlog                      a million owed deliveries, first tenth against last (--count)
  npm run bench -- fan-out                      one event for 10,000 webhooks (--webhooks)
  npm run bench -- filters                      a note for 100 filtered webhooks, beside one for a single webhook (--webhooks)
  npm run bench -- quiet                        a burst after a quiet time, beside fresh statistics (--count)
  npm run bench -- start                        how long the API and a worker take to be ready, and the first messages
  npm run bench -- soak --minutes 60            hours at a steady pace with a failing and a hanging receiver, by the minute
  npm run bench -- mail                         mails until their tickets are told, how many, memory of idle mailboxes, and webhooks
                                                beside mails, in about four minutes (--count, --rate, --seconds,
                                                --only latency,beside,burst,idle)
  npm run bench -- workers                      one worker against two (--count)
  npm run bench -- http                         tokens, messages, tickets and lists over HTTP, in a few minutes
  npm run bench -- http --tickets 100000        lists of that many tickets (1000000), beside 1,000
  npm run bench -- console --tickets 100000     the console’s pages with that many tickets, beside 1,000
  npm run bench -- search --tickets 100000      searches among that many tickets (1000000), beside 10,000; what words cost
  npm run bench -- http --only lists            one part, or several with commas: oauth, desk, lists
  npm run bench -- --count 50000                deliveries of each throughput measurement (20000)
  npm run bench -- --concurrency 200            posts in flight, in all three measurements (100)
  npm run bench -- --rate 300                   events a second of the latency measurement (200)
  npm run bench -- --webhooks 20                webhooks that share the events (20)
  npm run bench -- --profile DIR                write a CPU profile of the worker into DIR
  npm run bench -- --json                       print only the JSON
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string' },
    concurrency: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string' },
    runs: { type: 'string', default: '1' },
    burst: { type: 'string', default: '100000' },
    tickets: { type: 'string' },
    only: { type: 'string' },
    webhooks: { type: 'string' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const count = Number(values.count ?? 20_000);
const rate = Number(values.rate);
const say = (line: string): void => void (values.json || process.stderr.write(`${line}\n`));

/** Each prints one JSON object. */
const SUITES: Readonly<Record<string, () => Promise<object>>> = {
  isolation: () =>
    measureIsolation({ perSecond: rate, seconds: Number(values.seconds ?? 20), burst: Number(values.burst) }, say),
  one: () =>
    measureOne({ runs: Number(values.runs), seconds: Number(values.seconds ?? 6), only: values.only?.split(',') }, say),
  weight: () =>
    measureWeight({ events: Number(values.count ?? 1_000), idleSeconds: 60, only: values.only?.split(',') }, say),
  backlog: () => measureBacklog(Number(values.count ?? 1_000_000), say),
  'fan-out': () => measureFanOut(Number(values.webhooks ?? 10_000), say),
  filters: () => measureFilters(Number(values.webhooks ?? 100), say),
  saturation: () => measureSaturation(Number(values.seconds ?? 20), say),
  quiet: () => measureQuiet(values.count ? [count] : [20_000, 200_000], say),
  start: () => measureStart(say),
  mail: () =>
    measureMail(
      {
        count: Number(values.count ?? 3_000),
        rate,
        seconds: Number(values.seconds ?? 20),
        only: values.only?.split(','),
      },
      say,
    ),
  soak: () => measureSoak(Number(values.minutes), say),
  workers: () => measureWorkers(count, say),
  console: () => measureConsole(Number(values.tickets ?? 100_000), say),
  search: () => measureSearch(Number(values.tickets ?? 1_000_000), say),
  http: () => measureHttp({ tickets: Number(values.tickets ?? 1_000_000), only: values.only?.split(','), say }),
};

const suite = SUITES[positionals[0] ?? ''];
if (values.help) process.stdout.write(HELP);
else if (suite) process.stdout.write(`${JSON.stringify(await suite(), null, 2)}\n`);
else {
  const options = { count, rate, concurrency: Number(values.concurrency), webhooks: Number(values.webhooks ?? 20) };
  printReport(await measureThroughput(options, say, values.profile), values.json);
}
