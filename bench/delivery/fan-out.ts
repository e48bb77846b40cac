import { Scene } from './scene.js';

/** One event that very many webhooks of an account want: from its commit until the last of them has it. */
export async function measureFanOut(webhooks: number, say: (line: string) => void): Promise<object> {
  const scene = await Scene.open();
  try {
    const receiver = await scene.receiver();
    const accountId = await scene.crowd.account();
    say(`registering ${webhooks.toLocaleString('en')} webhooks …`);
    const wanting: string[] = [];
    for (let one = 0; one < webhooks; one++)
      wanting.push((await scene.crowd.subscribe(accountId, receiver.url)).webhookId);
    scene.worker();
    await scene.crowd.happen({ accountId, webhookId: wanting[0]! });
    await receiver.arrived(1);
    await receiver.forget();
    say('one event …');
    const started = performance.now();
    await scene.crowd.happenToAll(accountId, wanting);
    const { p50, p99 } = await receiver.arrived(webhooks);
    const seconds = (performance.now() - started) / 1000;
    return { webhooks, seconds, perSecond: webhooks / seconds, latencyMs: { p50, p99 } };
  } finally {
    await scene.close();
  }
}
