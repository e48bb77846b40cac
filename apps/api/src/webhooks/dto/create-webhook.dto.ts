import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { IsIn, IsString } from 'class-validator';
import { About } from '../../http/about.js';

const KINDS = Object.keys(EVENT_KINDS);

export class CreateWebhookDto {
  @IsIn(KINDS, { message: `event must be one of ${KINDS.join(', ')}`, context: { code: 'unknown_event_kind' } })
  event: EventKind;
  @About('What makes an address acceptable is a rule of webhooks, asked by the service.')
  @IsString()
  url: string;
}
