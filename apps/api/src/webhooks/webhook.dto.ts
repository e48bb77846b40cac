import {
  InvalidField,
  SIGNATURE_VERSIONS,
  type SignatureVersion,
  WEBHOOK_STATES,
  type WebhookState,
} from '#libs/entities';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import {
  type WantedWebhooks,
  type WebhookChanges,
  type WebhookQuery,
  checkWebhookUrl,
  webhookSecretFault,
} from '#libs/webhooks';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsOptional, ValidateBy, ValidateIf } from 'class-validator';
import { ApiDescription } from '../edge/api-description.js';
import { splitCommas } from '../edge/field-decorators.js';
import { PageQueryDto } from '../edge/page-query.dto.js';

const KINDS = Object.keys(EVENT_KINDS);

/** One of the kinds of event. */
export const IsEventKind = (each = false) => IsIn(KINDS, { each, context: { code: 'unknown_event_kind' } });

/** The service checks the URL again, because only it knows whether this installation requires https. */
const urlErrorOf = (value: unknown) => {
  if (typeof value !== 'string') return { code: 'not_a_text', message: 'must be text' };
  const checked = checkWebhookUrl(value, { requireHttps: false });
  return checked.ok ? null : checked;
};

const IsWebhookUrl = () =>
  ValidateBy(
    {
      name: 'isWebhookAddress',
      validator: {
        validate: (value: unknown) => urlErrorOf(value) === null,
        defaultMessage: (tried) => urlErrorOf(tried?.value)?.message ?? '',
      },
    },
    { context: { code: (value: unknown) => urlErrorOf(value)?.code } },
  );

const secretFaultOf = (value: unknown): string | null =>
  typeof value === 'string' ? webhookSecretFault(value) : 'must be text';

const IsWebhookSecret = () =>
  ValidateBy({
    name: 'isWebhookSecret',
    validator: {
      validate: (value: unknown) => secretFaultOf(value) === null,
      defaultMessage: (tried) => secretFaultOf(tried?.value) ?? '',
    },
  });

const Signatures = () =>
  applyDecorators(
    ApiDescription('`v1a` adds signatures that are verified with a public key. `v1` always signs.'),
    IsOptional(),
    Transform(splitCommas),
    IsArray(),
    ArrayUnique(),
    IsIn(SIGNATURE_VERSIONS, { each: true }),
  );

export class CreateWebhookDto {
  static readonly oneOfThese = { names: ['event', 'events'], excluding: true };

  @ApiDescription('The kind of event that it is sent.')
  @ValidateIf(({ event, events }: CreateWebhookDto) => (event ?? null) !== null || (events ?? null) === null)
  @IsEventKind()
  event?: EventKind;
  @ApiDescription('Instead of `event`: makes one webhook for each kind under one secret, all of them or none.')
  @ValidateIf(({ events }: CreateWebhookDto) => (events ?? null) !== null)
  @Transform(splitCommas)
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsEventKind(true)
  events?: EventKind[];
  @ApiDescription('Where the events are sent.') @IsWebhookUrl() url: string;
  @ApiDescription('One that the receiver knows already: `whsec_` and base64 of 24 to 64 bytes.')
  @IsOptional()
  @IsWebhookSecret()
  secret?: string;
  @Signatures() signatures?: SignatureVersion[];

  toInput(): WantedWebhooks & { isOne: boolean } {
    const { event, events, url, secret, signatures } = this;
    if (event && events) throw new InvalidField('events', 'one_of_two', 'events is sent instead of event, not with it');
    const wanted = {
      events: events ?? [event!],
      url,
      secret: secret ?? undefined,
      signatures: signatures ?? undefined,
    };
    return { ...wanted, isOne: !events };
  }
}

/** An absent field stays as it is. */
export class ChangeWebhookDto {
  @ApiDescription('Where events are sent from now on.') @IsOptional() @IsWebhookUrl() url?: string;
  @ApiDescription('`active` also turns on again what was disabled.') @IsOptional() @IsIn(['active', 'paused']) state?:
    'active' | 'paused';
  @Signatures() signatures?: SignatureVersion[];

  toInput(): WebhookChanges {
    const { url, state, signatures } = this;
    return { url: url ?? undefined, state: state ?? undefined, signatures: signatures ?? undefined };
  }
}

export class WebhooksQueryDto extends PageQueryDto {
  @ApiDescription('Only those for this kind of event.') @IsOptional() @IsEventKind() event?: EventKind;
  @ApiDescription('Only those in this state.') @IsOptional() @IsIn(WEBHOOK_STATES) state?: WebhookState;

  override toQuery(): WebhookQuery {
    return { ...super.toQuery(), event: this.event, state: this.state };
  }
}
