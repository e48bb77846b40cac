import { ENSURED_WEBHOOK, Links, ensuredPayload, json } from '#libs/payloads';
import type { AsymmetricKey } from '#libs/delivery';
import { WebhookSecretsService, WebhooksService } from '#libs/webhooks';
import { Body, Controller, Delete, Get, Header, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public, Caller } from '../layers/edge/caller.js';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { RevealsRecords, Scopes } from '../layers/oauth/required-scopes.js';
import {
  ChangeWebhookDto,
  CreateWebhookDto,
  PreviewFilterDto,
  EnsureWebhookDto,
  RotateSecretDto,
  WebhookKeysQueryDto,
  WebhooksQueryDto,
} from './webhooks.dto.js';

const PREVIEW = json.objectOf({
  matched: json.countOf('Events that the filter matches.'),
  of: json.countOf('Events that were compared.'),
});

@Controller('v1/webhooks')
@Scopes('webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('List webhooks, newest first', { list: ['webhooks', 'Webhook'] })
  listWebhooks(@Caller() caller: Caller, @Query() query: WebhooksQueryDto) {
    return this.webhooks.list(caller, query.toQuery());
  }

  @Post()
  @RevealsRecords()
  @ApiOperation('Register a webhook, or several at once', {
    created: ['webhook', 'NewWebhook'],
    createdAll: ['webhooks', 'NewWebhook'],
    conflicts: ['too_many_webhooks'],
  })
  async createWebhook(
    @Caller() caller: Caller,
    @Body() dto: CreateWebhookDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { isOne, ...wanted } = dto.toInput();
    const created = await this.webhooks.createEach(caller, wanted);
    if (isOne) return created[0]!;
    void reply.header('location', this.links.webhooks());
    return created;
  }

  @Post('preview')
  @RevealsRecords()
  @ApiOperation('Count how many of the last 1,000 events of a kind a filter matches', {
    responseSchema: PREVIEW,
  })
  previewWebhookFilter(@Caller() caller: Caller, @Body() { event, filter }: PreviewFilterDto) {
    return this.webhooks.previewFilter(caller, { events: [event], filter });
  }

  @Put('by-key/:key')
  @RevealsRecords()
  @ApiOperation('Register a webhook under a key, or change what differs', {
    responseSchema: ENSURED_WEBHOOK,
    mayCreate: true,
    conflicts: ['access_revoked', 'disabled_by_operator', 'too_many_webhooks'],
  })
  async ensureWebhook(
    @Caller() caller: Caller,
    @Param('key') key: string,
    @Body() dto: EnsureWebhookDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const ensured = await this.webhooks.ensure(caller, key, dto.toInput());
    if (ensured.secret !== undefined)
      void reply.status(201).header('location', this.links.record('webhooks', ensured.webhook.id));
    return ensuredPayload(ensured, this.links);
  }

  @Get(':id')
  @ApiOperation('Read a webhook', { record: ['webhook', 'Webhook'] })
  readWebhook(@Caller() caller: Caller, @Param('id') id: string) {
    return this.webhooks.read(caller, id);
  }

  @Patch(':id')
  @RevealsRecords()
  @ApiOperation('Change a webhook’s URL or filter, pause it, or enable it again', {
    record: ['webhook', 'Webhook'],
    conflicts: ['access_revoked', 'disabled_by_operator'],
  })
  changeWebhook(@Caller() caller: Caller, @Param('id') id: string, @Body() dto: ChangeWebhookDto) {
    return this.webhooks.change(caller, id, dto.toInput());
  }

  @Delete(':id')
  @ApiOperation('Delete a webhook, and cancel its pending deliveries')
  deleteWebhook(@Caller() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.webhooks.remove(caller, id);
  }
}

@Controller('v1/webhooks/:id/secret')
@Scopes('webhooks')
export class WebhookSecretsController {
  constructor(private readonly secrets: WebhookSecretsService) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation('Read the signing secrets, newest first; each read is recorded', {
    records: ['secrets', 'WebhookSecret'],
  })
  readWebhookSecrets(@Caller() caller: Caller, @Param('id') id: string) {
    return this.secrets.read(caller, id);
  }

  @Post('rotate')
  @Header('cache-control', 'no-store')
  @ApiOperation('Rotate the secret; the previous one also signs for a while', {
    records: ['secrets', 'WebhookSecret'],
  })
  rotateWebhookSecret(@Caller() caller: Caller, @Param('id') id: string, @Body() dto: RotateSecretDto) {
    return this.secrets.rotate(caller, id, dto.toInput());
  }
}

@Controller('.well-known')
@Public()
export class WebhookKeysController {
  constructor(private readonly secrets: WebhookSecretsService) {}

  /** A JWK Set (RFC 7517) of Ed25519 keys (RFC 8037). */
  @Get('webhooks-keys.json')
  @Header('cache-control', 'public, max-age=3600')
  @Header('content-type', 'application/jwk-set+json; charset=utf-8')
  read(@Query() { webhook }: WebhookKeysQueryDto) {
    return { keys: this.secrets.publicKeysOf(webhook).map(jwkOf) };
  }
}

const jwkOf = ({ id, x, whpk }: AsymmetricKey) => ({
  kty: 'OKP',
  crv: 'Ed25519',
  use: 'sig',
  alg: 'EdDSA',
  kid: id,
  x,
  whpk,
});
