import { Controller, Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PageAnswer } from '../pages/page.js';
import { Pages } from '../pages/pages.decorator.js';
import { AuthorizeFlow } from './authorize.flow.js';

@Controller('oauth/authorize')
@Pages()
export class AuthorizeController {
  constructor(private readonly flow: AuthorizeFlow) {}

  @Get()
  ask(@Req() request: FastifyRequest): Promise<PageAnswer> {
    return this.flow.ask(request);
  }

  @Post()
  decide(@Req() request: FastifyRequest): Promise<PageAnswer> {
    return this.flow.decide(request);
  }
}
