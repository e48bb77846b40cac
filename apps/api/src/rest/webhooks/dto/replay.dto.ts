import { REPLAY_CHOICES, type ReplayChoice } from '#libs/entities';
import type { NewReplay } from '#libs/webhooks';
import { IsIn, IsOptional } from 'class-validator';
import { IsIsoTime, timeOf } from '../../../http/field-decorators.js';

export class ReplayDto {
  /** Deliveries made then or later; as far back as they are kept unless said. */
  @IsOptional() @IsIsoTime() since?: string;
  /** Deliveries made earlier; until now unless said. */
  @IsOptional() @IsIsoTime() before?: string;
  /** What failed for good unless said. */
  @IsOptional() @IsIn(REPLAY_CHOICES) only?: ReplayChoice;

  toInput(): NewReplay {
    return { choice: this.only ?? 'failed', since: timeOf(this.since), before: timeOf(this.before) };
  }
}
