import { Controller, Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../http/access.decorator.js';
import type { PageResponse } from '../pages/page-response.js';
import { HtmlPages } from '../pages/html-pages.decorator.js';
import { AuthorizeFlow } from './authorize.flow.js';

@Controller('oauth/authorize')
@Public()
@HtmlPages()
export class AuthorizeController {
  constructor(private readonly flow: AuthorizeFlow) {}

  @Get()
  ask(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.flow.ask(request);
  }

  @Post()
  decide(@Req() request: FastifyRequest): Promise<PageResponse> {
    return this.flow.decide(request);
  }
}
