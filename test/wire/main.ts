import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { compare } from './compare.js';
import { type FirstRun, Desk } from './desk.js';
import { takeFrom } from './product.js';
import { SCENES } from './scenes/index.js';
import { readRecording } from './recording.js';

const HELP = `Writes down what the product answers on the wire, and compares two such recordings. Sends some thousand requests to
every route, good and bad, and receives webhooks of every kind and mail. What differs by its nature between two runs,
which is ids, times, tokens and ports, is replaced by a mark; all else stays as it came.

  node dist/test/wire/main.js take --product DIR --out FILE
      starts the product in DIR by \`npm start\` on a data directory of its own, records it and stops it

  node dist/test/wire/main.js record --base URL --first-run FILE --out FILE
      records a product that runs already. It must be fresh, and started with
        SMTP_URL=smtp://127.0.0.1:4191 WEBHOOK_RETRY_SCHEDULE=1
      and have one account besides its own (the person who owns it becomes an agent of the first one as well):
        printf wire-password-1 | npm run cli -- accounts create "Twin Ltd" --owner plain@example.com --password-stdin

  node dist/test/wire/main.js compare A.jsonl B.jsonl
      prints what differs; ends with code 1 if anything does

  --port N             port of the product that \`take\` starts (4100)
  --receiver-port N    where webhooks are received (4180)
  --smtp-port N        where mail is received (4191)
  --scene NAME         these scenes alone (may be repeated; later scenes need what earlier ones made)
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    product: { type: 'string' },
    base: { type: 'string' },
    'first-run': { type: 'string' },
    out: { type: 'string' },
    port: { type: 'string', default: '4100' },
    'receiver-port': { type: 'string', default: '4180' },
    'smtp-port': { type: 'string', default: '4191' },
    scene: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const COMMANDS: Readonly<Record<string, () => Promise<number>>> = {
  take: () => takeFrom({ folder: needed('product'), port: number('port'), smtpPort: number('smtp-port') }, record),
  record: () => record(needed('base'), needed('first-run')),
  compare: async () => compared(),
};

const command = COMMANDS[positionals[0] ?? ''];
if (values.help || !command) process.stdout.write(HELP);
process.exitCode = values.help ? 0 : command ? await command() : 2;

async function record(base: string, firstRunFile: string): Promise<number> {
  const firstRun = JSON.parse(fs.readFileSync(firstRunFile, 'utf8')) as FirstRun;
  const ports = { receiver: number('receiver-port'), smtp: number('smtp-port') };
  const desk = await Desk.open({ base, firstRun, ports, out: needed('out') });
  try {
    for (const [name, play] of Object.entries(SCENES)) {
      if (values.scene && !values.scene.includes(name)) continue;
      desk.begin(name);
      await play(desk);
    }
    desk.end();
  } finally {
    await desk.close();
  }
  say(`${desk.count} records in ${needed('out')}`);
  return 0;
}

function compared(): number {
  const [, before, after] = positionals;
  if (!before || !after) throw new Error('Name two recordings.');
  const differences = compare(readRecording(before), readRecording(after));
  for (const difference of differences) say(difference);
  say(differences.length === 0 ? 'The same.' : `${differences.length} differences.`);
  return differences.length === 0 ? 0 : 1;
}

function needed(name: 'product' | 'base' | 'first-run' | 'out'): string {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing; see --help.`);
  return value;
}

function number(name: 'port' | 'receiver-port' | 'smtp-port'): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} is a port.`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
