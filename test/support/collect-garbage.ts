import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Two full collections with a turn between them, since weak references last until their turn ends. */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await setImmediate();
    collect();
  }
}
