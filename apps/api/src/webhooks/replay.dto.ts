import { ANSWER_CLASSES, type AnswerClass, REPLAY_CHOICES, type ReplayChoice } from '#libs/entities';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import type { NewReplay, NewReplays } from '#libs/webhooks';
import { IsIn, IsOptional } from 'class-validator';
import { ApiDescription } from '../edge/api-description.js';
import { IsTime, timeOf } from '../edge/field-decorators.js';

export class ReplayDto {
  @ApiDescription('Deliveries made then or later; as far back as they are kept unless said.')
  @IsOptional()
  @IsTime()
  since?: string;
  @ApiDescription('Deliveries made earlier; until now unless said.')
  @IsOptional()
  @IsTime()
  before?: string;
  @ApiDescription(
    '`failed`: what was given up or cancelled. `retrying`: what failed and waits for its next attempt, which is made now. `undelivered`: both. `all`: what was given up or delivered.',
    { default: 'failed' },
  )
  @IsOptional()
  @IsIn(REPLAY_CHOICES)
  only?: ReplayChoice;
  @ApiDescription('Only those whose last attempt got no complete answer, or a status of this class.')
  @IsOptional()
  @IsIn(ANSWER_CLASSES)
  last_answer?: AnswerClass;

  toInput(): NewReplay {
    return {
      choice: this.only ?? 'failed',
      answer: this.last_answer ?? undefined,
      since: timeOf(this.since),
      before: timeOf(this.before),
    };
  }
}

/** Of all webhooks that the caller sees. */
export class ReplaysDto extends ReplayDto {
  @ApiDescription('Only of webhooks for this kind of event.')
  @IsOptional()
  @IsIn(Object.keys(EVENT_KINDS))
  event?: EventKind;

  override toInput(): NewReplays {
    return { ...super.toInput(), event: this.event ?? undefined };
  }
}
