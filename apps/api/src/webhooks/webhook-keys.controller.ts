import { type AsymmetricKey, WebhookKeysService } from '#libs/webhooks';
import { Controller, Get, Header, Query } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import { Public } from '../edge/access.decorator.js';

class KeysQueryDto {
  @IsOptional() @IsString() account?: string;
}

@Controller('.well-known')
@Public()
export class WebhookKeysController {
  constructor(private readonly keys: WebhookKeysService) {}

  /** A JWK Set (RFC 7517), whose keys are of Ed25519 (RFC 8037). */
  @Get('webhooks-keys.json')
  @Header('cache-control', 'public, max-age=3600')
  @Header('content-type', 'application/jwk-set+json; charset=utf-8')
  async read(@Query() { account }: KeysQueryDto) {
    const keys = await this.keys.of(account);
    return { keys: keys.map(jwkOf) };
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
