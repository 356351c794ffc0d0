import { isNode, Node } from '#domain/nodes.ts';
import type { Problem } from '#domain/refusal.ts';
import { wordOfNode } from '#domain/workflow.ts';

/** The node is one of the nine. Rule: events#e36. */
export function validateNode(ivyId: string): Problem[] {
  const field = { module: 'rmaInventory', field: 'ivyId' };
  if (ivyId === '') return [{ key: 'required', field: 'ivyId', args: { fields: [field] } }];
  return isNode(ivyId) ? [] : [{ key: 'format', field: 'ivyId', args: { field } }];
}

/** A unit is moved only to where it is not. Rule: events#e36. */
export const validateMove = (sn: string, from: Node | null, to: Node): Problem[] =>
  from === to ? [{ key: 'sameNode', field: 'ivyId', args: { sn, node: wordOfNode(to) } }] : [];

/**
 * What is inside a device stands nowhere, or is said to have left; it comes out by a station or by activation.
 * `around`: the device, where that is in the workshop. Rule: events#e17, events#e23.
 */
export function validateNotInDevice(
  sn: string,
  from: Node | null,
  { device, around }: { device: string | null; around: string | null },
): Problem[] {
  const holder = from === null ? device : from === Node.Shipped ? around : null;
  return holder === null ? [] : [{ key: 'partBound', field: 'sn', args: { sn, device: holder } }];
}
