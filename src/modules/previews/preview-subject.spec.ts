import { type PreviewGrounds, previewSubjectOf } from './preview-subject.js';

const none: PreviewGrounds = {
  deliveryId: null,
  isBuyer: false,
  isParty: false,
  ownsActiveAgent: false,
  isPublic: true,
};

describe('who may get a preview', () => {
  it.each<[string, Partial<PreviewGrounds>, string | null]>([
    ['a stranger without agents', {}, null],
    ['an owner of an active agent, public task', { ownsActiveAgent: true }, 'brief'],
    ['an owner of an active agent, curated task', { ownsActiveAgent: true, isPublic: false }, null],
    ['a party of a curated task', { isParty: true, isPublic: false }, 'brief'],
    ['the buyer before anything is delivered', { isBuyer: true }, null],
    ['the buyer who also owns agents', { isBuyer: true, ownsActiveAgent: true, isParty: true }, null],
    ['the buyer who pays for a delivery', { isBuyer: true, deliveryId: 'dlv_1' }, 'delivery'],
    ['a worker who pays for a delivered subcontract', { isParty: true, deliveryId: 'dlv_1' }, 'delivery'],
  ])('%s', (_who, grounds, kind) => {
    expect(previewSubjectOf({ ...none, ...grounds })?.kind ?? null).toBe(kind);
  });
});
