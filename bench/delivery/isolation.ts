import { type AddressInfo, type Server, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Subscriber } from './bench-subscribers.js';
import type { BenchReceiver, Latency } from './bench-receiver.js';
import { BenchSetup } from './bench-setup.js';

export interface IsolationOptions {
  readonly perSecond: number;
  readonly seconds: number;
  readonly burst: number;
}

interface IsolationSetup {
  readonly prompt: BenchReceiver;
  readonly flooded: BenchReceiver;
  readonly healthy: readonly Subscriber[];
  readonly hanging: readonly Subscriber[];
}

const ACCOUNTS = 20;
const WEBHOOKS_PER_ACCOUNT = 10;

/**
 * Measures how hanging receivers and a bursting account affect other accounts. The same open-loop traffic runs
 * undisturbed, then with 20 of 200 webhooks hanging (one per account), then with a burst of another account.
 */
export async function measureIsolation(options: IsolationOptions, say: (line: string) => void): Promise<object> {
  const setup = await BenchSetup.open();
  const silent = await silentServer();
  try {
    const stage = await prepareReceivers(setup, silent.url);
    setup.worker();
    await runTraffic(setup, stage, { ...options, seconds: 2 });
    say('undisturbed …');
    const undisturbed = await runTraffic(setup, stage, options);
    say('beside hanging receivers …');
    const besideHanging = await runTraffic(setup, stage, options, { withHanging: true });
    say(`beside a burst of ${options.burst} …`);
    const burster = await setup.subscribers.subscribe(await setup.subscribers.createAccount(), stage.flooded.url);
    await setup.subscribers.emit(burster.accountId, [burster.webhookId], options.burst);
    const besideBurst = await runTraffic(setup, stage, options);
    const ofTheBurst = await stage.flooded.seen();
    const ratios = { hanging: besideHanging.p99 / undisturbed.p99, burst: besideBurst.p99 / undisturbed.p99 };
    return { options, undisturbed, besideHanging, besideBurst: { ...besideBurst, ofTheBurst }, p99Ratios: ratios };
  } finally {
    await setup.close();
    silent.server.close();
  }
}

async function prepareReceivers(setup: BenchSetup, silentUrl: string): Promise<IsolationSetup> {
  const [prompt, flooded] = [await setup.receiver(), await setup.receiver()];
  const healthy: Subscriber[] = [];
  const hanging: Subscriber[] = [];
  for (let account = 0; account < ACCOUNTS; account++) {
    const accountId = await setup.subscribers.createAccount();
    for (let one = 1; one < WEBHOOKS_PER_ACCOUNT; one++)
      healthy.push(await setup.subscribers.subscribe(accountId, prompt.url));
    hanging.push(await setup.subscribers.subscribe(accountId, silentUrl));
  }
  return { prompt, flooded, healthy, hanging };
}

/** Open loop: sends each event when it is due. Hanging webhooks get every tenth event. */
async function runTraffic(
  setup: BenchSetup,
  { prompt, healthy, hanging }: IsolationSetup,
  { perSecond, seconds }: Pick<IsolationOptions, 'perSecond' | 'seconds'>,
  { withHanging = false } = {},
): Promise<Latency> {
  await prompt.reset();
  const started = performance.now();
  const total = perSecond * seconds;
  let expected = 0;
  for (let sent = 0; sent < total; await wait(1)) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond));
    for (; sent < due; sent++) {
      const isLost = withHanging && sent % 10 === 0;
      const among = isLost ? hanging : healthy;
      const { accountId, webhookId } = among[(isLost ? sent / 10 : sent) % among.length]!;
      await setup.subscribers.emit(accountId, [webhookId]);
      if (!isLost) expected += 1;
    }
  }
  return prompt.waitFor(expected);
}

/** Starts a server that accepts connections and never answers. */
async function silentServer(): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
