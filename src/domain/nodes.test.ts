import { expect, it } from 'vitest';
import { StorageType } from '#domain/enums.ts';
import { Node, nodes, storageTypeAt } from '#domain/nodes.ts';

const { Goods, Defectives, Scraps } = StorageType;

it('keeps what can ship as goods, scrap as scrap, what is in work as defective, and nothing that has left', () => {
  expect([Node.CanShip, Node.Scrapped, Node.Shipped, null].map(storageTypeAt)).toEqual([Goods, Scraps, null, null]);
  const inWork = nodes.filter((it) => Number(it) < 100 && it !== Node.Scrapped);
  expect(new Set(inWork.map(storageTypeAt))).toEqual(new Set([Defectives]));
});
