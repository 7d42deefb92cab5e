// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {LocalUsdc} from "../../src/LocalUsdc.sol";

/// @notice Token that keeps one unit of every transfer.
contract FeeToken is LocalUsdc {
    constructor(address owner) LocalUsdc(owner) {}

    function _update(address from, address to, uint256 value) internal override {
        if (from == address(0) || to == address(0)) return super._update(from, to, value);
        super._update(from, address(0xfee), 1);
        super._update(from, to, value - 1);
    }
}

/// @notice Token that calls back into a target during every transfer.
contract ReentrantToken is LocalUsdc {
    address private _target;
    bytes private _call;
    bool public attempted;
    bytes public answer;

    constructor(address owner) LocalUsdc(owner) {}

    function arm(address target, bytes calldata call) external {
        (_target, _call) = (target, call);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (_target == address(0)) return;
        attempted = true;
        (, answer) = _target.call(_call);
    }
}
