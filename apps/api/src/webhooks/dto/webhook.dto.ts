import { WEBHOOK_STATES, type WebhookState } from '#libs/entities';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import type { WebhookChanges, WebhookQuery } from '#libs/webhooks';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { PageQueryDto } from '../../http/page-query.dto.js';

const KINDS = Object.keys(EVENT_KINDS);

/** One of the kinds of event. */
export const Kind = (each = false) =>
  IsIn(KINDS, { each, message: `event must be one of ${KINDS.join(', ')}`, context: { code: 'unknown_event_kind' } });

export class CreateWebhookDto {
  @Kind() event: EventKind;
  /** What makes an address acceptable is a rule of webhooks, asked by the service. */
  @IsString() url: string;
}

/** What is absent stays. */
export class ChangeWebhookDto {
  @IsOptional() @IsString() url?: string;
  /** `active` also turns on again what was disabled. */
  @IsOptional() @IsIn(['active', 'paused']) state?: 'active' | 'paused';

  wanted(): WebhookChanges {
    return { url: this.url ?? undefined, state: this.state ?? undefined };
  }
}

export class WebhooksQueryDto extends PageQueryDto {
  @IsOptional() @Kind() event?: EventKind;
  @IsOptional() @IsIn(WEBHOOK_STATES) state?: WebhookState;

  override wanted(): WebhookQuery {
    return { ...this.pageRequest(), event: this.event, state: this.state };
  }
}
