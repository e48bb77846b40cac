import { REPLAY_CHOICES, type ReplayChoice } from '#libs/entities';
import type { NewReplay } from '#libs/webhooks';
import { IsIn, IsOptional } from 'class-validator';
import { Time, timeOf } from '../../../http/fields.js';

export class ReplayDto {
  /** Deliveries made then or later; as far back as they are kept unless said. */
  @IsOptional() @Time() since?: string;
  /** Deliveries made earlier; until now unless said. */
  @IsOptional() @Time() before?: string;
  /** What failed for good unless said. */
  @IsOptional() @IsIn(REPLAY_CHOICES) only?: ReplayChoice;

  wanted(): NewReplay {
    return { choice: this.only ?? 'failed', since: timeOf(this.since), before: timeOf(this.before) };
  }
}
