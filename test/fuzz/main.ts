import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Failure } from './answer-judge.js';
import { runCampaign } from './campaign.js';
import { type MailProgress, runMailCampaign } from './mail/mail-campaign.js';
import { hasPassed as hasMailPassed, mailProgressLine, mailSummary } from './mail/mail-report.js';
import { describe, failureText, hasPassed, progressLine, summary } from './report.js';

const HELP = `Sends the product what no client would send, over every route, as everybody and nobody, on servers of its own, and
judges every answer. Ends with code 1 when one is a failure of ours, comes too late, or tells too much.

  npm run fuzz                                  100,000 requests
  npm run fuzz -- --requests 1000000            as many as that
  npm run fuzz -- --seed 7                      the same requests as that seed had before
  npm run fuzz -- --seed 7 --only 4711          one of them alone, with its bytes and the answer
  npm run fuzz -- --seed 7 --from 40000 --requests 10000
                                                some of them, beginning with that number
  npm run fuzz -- --routes                      with what became of the requests to each route

With --mail it sends one account mails that are large, deep or slow to read, and times the mail of another account. Ends with code 1
when that takes longer than 3 seconds (p99), or a process dies.

  npm run fuzz -- --mail                        2,000 mails
  npm run fuzz -- --mail --mails 100 --seed 7   as many as that, the same as that seed had before
`;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: `${randomInt(1, 1_000_000)}` },
    from: { type: 'string', default: '0' },
    only: { type: 'string' },
    mail: { type: 'boolean', default: false },
    mails: { type: 'string', default: '2000' },
    routes: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) say(HELP.trimEnd());
else process.exitCode = await (values.mail ? runMailFromCommandLine() : runFromCommandLine());

async function runFromCommandLine(): Promise<number> {
  const seed = wholeNumber('seed', values.seed);
  say(`seed ${seed}`);
  const only = values.only === undefined ? undefined : wholeNumber('only', values.only);
  const result = await runCampaign({
    seed,
    first: only ?? wholeNumber('from', values.from),
    count: only === undefined ? wholeNumber('requests', values.requests) : 1,
    ...(only === undefined
      ? { onRound: (progress) => say(progressLine(progress)) }
      : {
          onRequest: (request, { answers, fault }) => {
            say(describe(request));
            for (const { status, body } of answers) say(`  ${status} ${body.slice(0, 4000)}`);
            if (fault !== undefined) say(`  ${fault}`);
          },
        }),
  });
  for (const failure of result.failures) say(failureText(seed, failure, savedBytes(seed, failure)));
  if (values.routes) for (const line of result.tally.lines) say(line);
  if (only === undefined) say(summary(result));
  return hasPassed(result) ? 0 : 1;
}

async function runMailFromCommandLine(): Promise<number> {
  const seed = wholeNumber('seed', values.seed);
  say(`seed ${seed}`);
  const onProgress = (progress: MailProgress) => say(mailProgressLine(progress));
  const result = await runMailCampaign({ seed, mails: wholeNumber('mails', values.mails), onProgress });
  say(mailSummary(result));
  return hasMailPassed(result) ? 0 : 1;
}

/** Saves the bytes, to send again with `nc` or to read. */
function savedBytes(seed: number, { request }: Failure): string | undefined {
  if (!request) return undefined;
  const file = path.join(os.tmpdir(), `deskwire-fuzz-${seed}-${request.index}.http`);
  fs.writeFileSync(file, Buffer.concat(request.wire.pieces));
  return file;
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`--${name} is a whole number.`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
