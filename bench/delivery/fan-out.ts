import { BenchSetup } from './bench-setup.js';

/** Fans out one event to very many webhooks of an account, and measures from commit to the last arrival. */
export async function measureFanOut(webhooks: number, say: (line: string) => void): Promise<object> {
  const setup = await BenchSetup.open();
  try {
    const receiver = await setup.receiver();
    const accountId = await setup.subscribers.createAccount();
    say(`registering ${webhooks.toLocaleString('en')} webhooks …`);
    const wanting: string[] = [];
    for (let one = 0; one < webhooks; one++)
      wanting.push((await setup.subscribers.subscribe(accountId, receiver.url)).webhookId);
    setup.worker();
    await setup.subscribers.emit(accountId, wanting.slice(0, 1));
    await receiver.waitFor(1);
    await receiver.reset();
    say('one event …');
    const started = performance.now();
    await setup.subscribers.emitToAll(accountId, wanting);
    const { p50, p99 } = await receiver.waitFor(webhooks);
    const seconds = (performance.now() - started) / 1000;
    return { webhooks, seconds, perSecond: webhooks / seconds, latencyMs: { p50, p99 } };
  } finally {
    await setup.close();
  }
}
