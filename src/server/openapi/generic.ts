import type { Definition } from '#domain/definition/grammar.ts';
import { BulkBody, DeleteAllBody } from '#domain/bulk.ts';
import { isReviewed } from '#domain/review.ts';
import type { GenericAction } from '#server/engine/genericAction.ts';
import { inputSchema } from '#server/input.ts';
import type { Schema } from './fields.ts';

/** What one generic call takes and answers, in a module; a call that is not listed takes what its screen sends. */
interface Shape {
  says: string;
  query?: Record<string, Schema>;
  body?: Schema;
  data?: Schema;
}

const text: Schema = { type: 'string' };
const whole: Schema = { type: 'integer' };
const anything: Schema = {};
const deleteAllBody = inputSchema(DeleteAllBody, false);
const bulkBody = inputSchema(BulkBody, false);
const page = {
  pageStart: { ...whole, minimum: 0, description: 'Zero-based offset of the first row.' },
  pageCount: { ...whole, minimum: 1, maximum: 200, default: 10 },
  sortBy: { ...text, description: 'A column of the list.' },
  order: { ...text, enum: ['asc', 'desc'] },
  total: { ...text, enum: ['none'], description: 'Leaves the total out.' },
};
const condition: Schema = {
  type: 'object',
  properties: {
    adminAdvancedSearchGroup: {
      type: 'object',
      description: 'A connector (AND, OR), rules of {connector, column, relation, value}, and one level of groups.',
    },
  },
  required: ['adminAdvancedSearchGroup'],
};
const items = (of: Schema): Schema => ({ type: 'object', properties: { items: { type: 'array', items: of } } });

/** `row` and `form` are the module's schemas. */
export function shapeOf(action: GenericAction, definition: Definition, row: Schema, form: Schema): Shape {
  const list: Schema = {
    type: 'object',
    properties: {
      title: { type: 'object', description: 'column → label', additionalProperties: text },
      items: { type: 'array', items: row },
      itemTotal: {
        type: ['integer', 'null'],
        description: 'Exactly how many rows the conditions meet; `most` where they are as many or more.',
      },
      most: {
        type: 'integer',
        description: 'Of a list that only grows: how many rows are counted and leafed through.',
      },
      tableName: text,
    },
  };
  const searched = Object.fromEntries((definition.search ?? []).map((it) => [it, text]));
  const shapes: Record<string, Shape> = {
    searchItems: { says: 'What the list can be searched by', data: items(anything) },
    pager: { says: 'A page of the list', query: { ...page, ...searched }, data: list },
    toAdvancedSearch: { says: 'Columns and relations of the nested search', data: anything },
    advancedSearch: { says: 'A page under a tree of conditions', query: page, body: condition, data: list },
    tabCounts: {
      says: 'How many rows each value of the tabs has under a search',
      query: searched,
      body: { ...condition, required: [] },
      data: { type: 'object', properties: { counts: { type: 'object', additionalProperties: whole } } },
    },
    options: { says: 'Choices of a select', query: { field: text, search: text }, data: items(anything) },
    queryById: {
      says: 'One row with its lines',
      query: { id: { ...text, description: 'Row id or business number.' } },
      data: row,
    },
    toAdd: { says: 'The form for a new row', data: items(anything) },
    create: { says: 'A new row', body: form, data: { type: 'object', properties: { id: whole } } },
    toModify: { says: 'The form with the values of a row', query: { id: text }, data: items(anything) },
    modifyById: {
      says: 'Changes a row',
      body: {
        allOf: [{ type: 'object', properties: { id: whole, version: whole }, required: ['id', 'version'] }, form],
      },
      data: { type: 'object', properties: { id: whole, version: whole } },
    },
    deleteById: {
      says: 'Deletes a row',
      body: {
        type: 'object',
        properties: { id: whole, version: { ...whole, description: 'As it was seen; a stale one is 100025.' } },
        required: isReviewed(definition.module) ? ['id', 'version'] : ['id'],
      },
      data: anything,
    },
    deleteAll: {
      says: 'Deletes rows',
      body: isReviewed(definition.module) ? { ...deleteAllBody, required: ['ids', 'versions'] } : deleteAllBody,
      data: anything,
    },
    bulk: {
      says: 'One deed on many rows, or a dry run of it; says how far it is to who accepts text/event-stream',
      body: bulkBody,
      data: anything,
    },
  };
  return (
    shapes[action.name] ?? {
      says: action.name,
      ...(action.method === 'POST' && { body: { type: 'object' } }),
      data: anything,
    }
  );
}
