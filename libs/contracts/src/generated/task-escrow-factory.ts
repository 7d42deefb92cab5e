// Generated from libs/contracts/solidity/src/TaskEscrowFactory.sol by tools/build-bindings.mjs. Do not edit.

export const taskEscrowFactoryAbi = [
  {
    type: 'constructor',
    inputs: [{ name: 'implementation_', type: 'address', internalType: 'address' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    name: 'createTree',
    inputs: [
      { name: 'buyer', type: 'address', internalType: 'address' },
      { name: 'arbiter', type: 'address', internalType: 'address' },
      { name: 'treeId', type: 'bytes32', internalType: 'bytes32' },
      { name: 'calls', type: 'bytes[]', internalType: 'bytes[]' },
    ],
    outputs: [{ name: 'escrow', type: 'address', internalType: 'address' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    name: 'escrowOf',
    inputs: [
      { name: 'buyer', type: 'address', internalType: 'address' },
      { name: 'arbiter', type: 'address', internalType: 'address' },
      { name: 'treeId', type: 'bytes32', internalType: 'bytes32' },
    ],
    outputs: [{ name: '', type: 'address', internalType: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    name: 'implementation',
    inputs: [],
    outputs: [{ name: '', type: 'address', internalType: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'event',
    name: 'TreeCreated',
    inputs: [
      { name: 'treeId', type: 'bytes32', indexed: true, internalType: 'bytes32' },
      { name: 'escrow', type: 'address', indexed: true, internalType: 'address' },
      { name: 'buyer', type: 'address', indexed: true, internalType: 'address' },
      { name: 'arbiter', type: 'address', indexed: false, internalType: 'address' },
    ],
    anonymous: false,
  },
  { type: 'error', name: 'CloneArgumentsTooLong', inputs: [] },
  { type: 'error', name: 'Create2EmptyBytecode', inputs: [] },
  { type: 'error', name: 'FailedDeployment', inputs: [] },
  {
    type: 'error',
    name: 'InsufficientBalance',
    inputs: [
      { name: 'balance', type: 'uint256', internalType: 'uint256' },
      { name: 'needed', type: 'uint256', internalType: 'uint256' },
    ],
  },
  {
    type: 'error',
    name: 'InvalidParties',
    inputs: [
      { name: 'buyer', type: 'address', internalType: 'address' },
      { name: 'arbiter', type: 'address', internalType: 'address' },
    ],
  },
] as const;

/** Creation code; constructor arguments follow it. */
export const taskEscrowFactoryBytecode =
  '0x60a034606d57601f6108b838819003918201601f19168301916001600160401b03831184841017607157808492602094604052833981010312606d57516001600160a01b0381168103606d576080526040516108329081610086823960805181818161032d015261054b0152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe6080806040526004361015610012575f80fd5b5f3560e01c9081635c60da1b14610503575080639c07ae25146104985763ee83e6d71461003d575f80fd5b346102ac5760807ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126102ac5761007461056f565b61007c610592565b90604435916064359067ffffffffffffffff82116102ac57366023830112156102ac5781600401359367ffffffffffffffff85116102ac578460051b9136602484860101116102ac5773ffffffffffffffffffffffffffffffffffffffff85169182158015610479575b610433576100f5818388610623565b95863b156102b0575b5050505083610129575b60208373ffffffffffffffffffffffffffffffffffffffff60405191168152f35b73ffffffffffffffffffffffffffffffffffffffff831691823b156102ac57936040519485927fac9650d8000000000000000000000000000000000000000000000000000000008452826024850160206004870152526044808501918501019260248301925f907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffbd813603015b8383106101fd5750505050505091815f81819503925af19182156101f2576020926101e2575b80610108565b5f6101ec916105b5565b5f6101dc565b6040513d5f823e3d90fd5b919395909294967fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffbc9082030186528635828112156102ac578301906044602483013592019167ffffffffffffffff81116102ac5780360383136102ac576020827fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f8480600198869897879852868601375f85828601015201160101980196019301909189969594926101b6565b5f80fd5b8261032b610351926102ff60405193849260208401906028927fffffffffffffffffffffffffffffffffffffffff000000000000000000000000809260601b16835260601b1660148201520190565b037fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe081018352826105b5565b7f00000000000000000000000000000000000000000000000000000000000000006106af565b80511561040b578181602073ffffffffffffffffffffffffffffffffffffffff935191015ff516156103de5773ffffffffffffffffffffffffffffffffffffffff604051921682527f2ee5bc775e7e071912063c8a0f05e318dc4fbc0b73621e4268065a464d30e23e602073ffffffffffffffffffffffffffffffffffffffff881693a45f8080806100fe565b3d6101f2577fb06ebf3d000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f4ca249dc000000000000000000000000000000000000000000000000000000005f5260045ffd5b5073ffffffffffffffffffffffffffffffffffffffff917f8b42e50c000000000000000000000000000000000000000000000000000000005f526004521660245260445ffd5b5073ffffffffffffffffffffffffffffffffffffffff821683146100e6565b346102ac5760607ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126102ac5760206104e56104d461056f565b6104dc610592565b60443591610623565b73ffffffffffffffffffffffffffffffffffffffff60405191168152f35b346102ac575f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc3601126102ac5760209073ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b6004359073ffffffffffffffffffffffffffffffffffffffff821682036102ac57565b6024359073ffffffffffffffffffffffffffffffffffffffff821682036102ac57565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff8211176105f657604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b73ffffffffffffffffffffffffffffffffffffffff9261068c60559361032b600b946102ff60405193849260208401906028927fffffffffffffffffffffffffffffffffffffffff000000000000000000000000809260601b16835260601b1660148201520190565b602081519101209060405191604083015260208201523081520160ff8153201690565b615fd382511161080a57815191602d83018093116107dd577fffff0000000000000000000000000000000000000000000000000000000000009260206057927fffffffffffffffffffffffffffffffffffffffff0000000000000000000000006107da956040519788957f61000000000000000000000000000000000000000000000000000000000000008688015260f01b1660218601527f3d81600a3d39f3363d3d373d3d3d363d73000000000000000000000000000000602386015260601b1660348401527f5af43d82803e903d91602b57fd5bf3000000000000000000000000000000000060488401528051918291018484015e81015f8382015203017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe081018352826105b5565b90565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b7f94289054000000000000000000000000000000000000000000000000000000005f5260045ffd';
