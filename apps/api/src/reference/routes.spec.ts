import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { expect, it } from 'vitest';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Scopes } from '../layers/oauth/required-scopes.js';
import { routesOf } from './routes.js';

class SampleQuery {}
class SampleBody {}

@Controller('v1/samples')
class SamplesController {
  @Post(':id/copy')
  @Scopes('tickets:write')
  @ApiOperation('Copy a sample')
  copy(@Param('id') id: string, @Query() query: SampleQuery, @Body() body: SampleBody): unknown[] {
    return [id, query, body];
  }
}

@Controller('v1/secrets')
class UndescribedController {
  @Post()
  create(): void {}
}

@Controller('v1/open')
class UnguardedController {
  @Post()
  @ApiOperation('Open')
  create(): void {}
}

it('reads the path, parameters and status of a route', () => {
  expect(routesOf([SamplesController])).toEqual([
    {
      id: 'copy',
      method: 'post',
      path: '/v1/samples/{id}/copy',
      parameters: ['id'],
      takesIfMatch: true,
      query: SampleQuery,
      body: SampleBody,
      scopes: { scopes: ['tickets:write'], records: false },
      description: { summary: 'Copy a sample', status: 204 },
    },
  ]);
});

it('refuses a route without a description', () => {
  expect(() => routesOf([UndescribedController])).toThrow('UndescribedController.create needs @ApiOperation');
});

it('refuses a route that names no scopes', () => {
  expect(() => routesOf([UnguardedController])).toThrow('UnguardedController.create needs @Scopes');
});
