import { measureDesk } from './desk.js';
import { measureLists } from './lists.js';
import { measureOAuth } from './oauth.js';
import { HttpStack } from './stack.js';

/** HTTP: tokens, the desk against bare handlers, lists of a thousand and of a million. */
export async function measureHttp({ tickets, say }: { tickets: number; say: (line: string) => void }): Promise<object> {
  const stack = await HttpStack.start();
  try {
    say('tokens …');
    const oauth = await measureOAuth(stack);
    say('messages and tickets, against bare handlers with the same statements …');
    const desk = await measureDesk(stack);
    say(`lists at 1,000 and ${tickets.toLocaleString('en')} tickets …`);
    const lists = await measureLists(stack, tickets);
    return { oauth, desk, lists };
  } finally {
    await stack.stop();
  }
}
