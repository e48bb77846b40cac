import type { TokenResponse } from '#libs/access';
import { Controller, Header, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../http/access.decorator.js';
import type { Introspection } from './introspection.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';
import { TokenService } from './token.service.js';

/** Nest answers a POST with 201; OAuth clients accept 200 only. */
@Controller('oauth')
@Public()
@UseFilters(OAuthErrorFilter)
export class TokenController {
  constructor(private readonly service: TokenService) {}

  @Post('token')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Header('pragma', 'no-cache')
  token(@Req() request: FastifyRequest): Promise<TokenResponse> {
    return this.service.issue(request);
  }

  @Post('revoke')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  revoke(@Req() request: FastifyRequest): Promise<object> {
    return this.service.revoke(request);
  }

  @Post('introspect')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  introspect(@Req() request: FastifyRequest): Promise<Introspection> {
    return this.service.introspect(request);
  }
}
