import { type AddressInfo, type Server, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Subscriber } from './crowd.js';
import { type BenchReceiver, type Latency, Scene } from './scene.js';

export interface IsolationOptions {
  readonly perSecond: number;
  readonly seconds: number;
  readonly burst: number;
}

interface Stage {
  readonly prompt: BenchReceiver;
  readonly flooded: BenchReceiver;
  readonly well: readonly Subscriber[];
  readonly hanging: readonly Subscriber[];
}

const ACCOUNTS = 20;
const WEBHOOKS_EACH = 10;

/**
 * What receivers that hang, and an account that bursts, cost everybody else: the same open-loop traffic undisturbed,
 * beside 20 hanging webhooks of 200, one in each account, and beside a burst of another account. All in one run.
 */
export async function measureIsolation(options: IsolationOptions, say: (line: string) => void): Promise<object> {
  const scene = await Scene.open();
  const silent = await silentServer();
  try {
    const stage = await setTheStage(scene, silent.url);
    scene.worker();
    await traffic(scene, stage, { ...options, seconds: 2 });
    say('undisturbed …');
    const undisturbed = await traffic(scene, stage, options);
    say('beside hanging receivers …');
    const besideHanging = await traffic(scene, stage, options, { withHanging: true });
    say(`beside a burst of ${options.burst} …`);
    const burster = await scene.crowd.subscribe(await scene.crowd.account(), stage.flooded.url);
    await scene.crowd.happen(burster, options.burst);
    const besideBurst = await traffic(scene, stage, options);
    const ofTheBurst = await stage.flooded.seen();
    const ratios = { hanging: besideHanging.p99 / undisturbed.p99, burst: besideBurst.p99 / undisturbed.p99 };
    return { options, undisturbed, besideHanging, besideBurst: { ...besideBurst, ofTheBurst }, p99Ratios: ratios };
  } finally {
    await scene.close();
    silent.server.close();
  }
}

async function setTheStage(scene: Scene, silentUrl: string): Promise<Stage> {
  const [prompt, flooded] = [await scene.receiver(), await scene.receiver()];
  const well: Subscriber[] = [];
  const hanging: Subscriber[] = [];
  for (let account = 0; account < ACCOUNTS; account++) {
    const accountId = await scene.crowd.account();
    for (let one = 1; one < WEBHOOKS_EACH; one++) well.push(await scene.crowd.subscribe(accountId, prompt.url));
    hanging.push(await scene.crowd.subscribe(accountId, silentUrl));
  }
  return { prompt, flooded, well, hanging };
}

/** Open loop: an event when it is due, whatever the pipeline does. With hanging ones, they get every tenth. */
async function traffic(
  scene: Scene,
  { prompt, well, hanging }: Stage,
  { perSecond, seconds }: Pick<IsolationOptions, 'perSecond' | 'seconds'>,
  { withHanging = false } = {},
): Promise<Latency> {
  await prompt.forget();
  const started = performance.now();
  const total = perSecond * seconds;
  let expected = 0;
  for (let sent = 0; sent < total; await wait(1)) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond));
    for (; sent < due; sent++) {
      const isLost = withHanging && sent % 10 === 0;
      const among = isLost ? hanging : well;
      await scene.crowd.happen(among[(isLost ? sent / 10 : sent) % among.length]!);
      if (!isLost) expected += 1;
    }
  }
  return prompt.arrived(expected);
}

/** Accepts, and never says a word. */
async function silentServer(): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
