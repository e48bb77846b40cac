import type { Socket } from 'node:net';
import type { SeededChoices } from '#test/support/seeded-choices.js';
import { Passage } from '../../passage.js';
import { addOne } from './counts.js';
import { mailKey } from './mail-key.js';
import { TroubledConversation } from './troubled-conversation.js';
import { drawTrouble } from './trouble.js';

/** A proxy between the product and the next hop: one connection in eight fails, at a random stage. */
export class TroubledPath {
  /** How often the end of an email was sent without an answer. */
  readonly unheard = new Map<string, number>();
  readonly met = new Map<string, number>();
  private isCalm = false;

  private constructor(
    private readonly passage: Passage,
    private readonly choices: SeededChoices,
  ) {}

  static async inFrontOf(target: () => number, choices: SeededChoices): Promise<TroubledPath> {
    const passage = await Passage.to(target, (sender, server) => path.join(sender, server));
    const path = new TroubledPath(passage, choices);
    return path;
  }

  get port(): number {
    return this.passage.port;
  }

  /** Stops all failures from now on. */
  calm(): void {
    this.isCalm = true;
  }

  stop(): void {
    this.passage.stop();
  }

  private join(sender: Socket, server: Socket): void {
    const trouble = this.isCalm ? null : drawTrouble(this.choices);
    if (trouble) addOne(this.met, `${trouble.stage} ${trouble.says.slice(0, 3)}`);
    // oxlint-disable-next-line no-new
    new TroubledConversation(sender, server, trouble, (mailId, recipient) => {
      if (mailId !== null) addOne(this.unheard, mailKey(mailId, recipient));
    });
  }
}
