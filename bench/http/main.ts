import { measureDesk } from './desk.js';
import { measureLists } from './lists.js';
import { measureOAuth } from './oauth.js';
import { HttpBench } from './http-bench.js';

interface HttpOptions {
  readonly tickets: number;
  /** Names of the parts to measure; all by default. */
  readonly only?: readonly string[] | undefined;
  readonly say: (line: string) => void;
}

/** HTTP: tokens, the desk against bare handlers, lists of a thousand and of a million. */
export async function measureHttp({ tickets, only, say }: HttpOptions): Promise<object> {
  const stack = await HttpBench.start();
  const parts = {
    oauth: { about: 'tokens', measure: () => measureOAuth(stack) },
    desk: { about: 'messages and tickets, against bare handlers', measure: () => measureDesk(stack) },
    lists: {
      about: `lists at 1,000 and ${tickets.toLocaleString('en')} tickets`,
      measure: () => measureLists(stack, tickets),
    },
  };
  try {
    const measured: Record<string, object> = {};
    for (const [name, { about, measure }] of Object.entries(parts)) {
      if (only && !only.includes(name)) continue;
      say(`${about} …`);
      measured[name] = await measure();
    }
    return measured;
  } finally {
    await stack.stop();
  }
}
