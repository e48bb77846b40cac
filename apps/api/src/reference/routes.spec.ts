import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { expect, it } from 'vitest';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { routesOf } from './routes.js';

class SampleQuery {}
class SampleBody {}

@Controller('v1/samples')
class SamplesController {
  @Post(':id/copy')
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

it('reads the path, parameters and status of a route', () => {
  expect(routesOf([SamplesController])).toEqual([
    {
      id: 'samples-copy',
      method: 'post',
      path: '/v1/samples/{id}/copy',
      parameters: ['id'],
      query: SampleQuery,
      body: SampleBody,
      scopes: { anyOf: ['write'], read: false },
      description: { summary: 'Copy a sample', status: 204 },
    },
  ]);
});

it('refuses a route without a description', () => {
  expect(() => routesOf([UndescribedController])).toThrow('UndescribedController.create needs @ApiOperation');
});
