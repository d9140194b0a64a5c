// Copyright (c) The terraform-provider-kafkastorage Authors
// SPDX-License-Identifier: MPL-2.0

package internal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// mutantTimeout bounds building and testing one mutant.
const mutantTimeout = 3 * time.Minute

// allMutants are those of every kind.
var allMutants = slices.Concat(mutants, connectionMutants)

// A mutant whose text has moved on would be found by the campaign only.
func TestMutants_EachStandsOnceInItsFile(t *testing.T) {
	for _, m := range allMutants {
		if _, _, err := m.apply(); err != nil {
			t.Errorf("%s, %s: %v", m.kind, m.rule, err)
		}
	}
}

// Every rule that guards against a known kind of fault is switched off in turn, and
// its test has to fail. A share runs each time, all of them in the campaign.
func TestCampaignRulesSwitchedOff(t *testing.T) {
	if testing.Short() {
		t.Skip("mutants are built and tested one by one, which -short has no time for")
	}
	chosen := allMutants
	if os.Getenv("KAFKASTORAGE_CAMPAIGN") != "full" {
		const seed = 20261129
		order := rand.New(rand.NewPCG(seed, seed)).Perm(len(allMutants)) //nolint:gosec // a reproducible share
		chosen = nil
		for _, i := range order[:max(5, len(allMutants)/10)] {
			chosen = append(chosen, allMutants[i])
		}
	}
	tried, noticed := 0, 0
	for _, m := range chosen {
		t.Run(m.kind+"/"+m.rule, func(t *testing.T) {
			tried++
			output, err := m.run(t)
			switch {
			case err != nil:
				t.Errorf("%v\n%s", err, output)
			case !regexp.MustCompile(`--- FAIL: ` + m.test).MatchString(output):
				t.Errorf("with the rule switched off %s does not fail:\n%s", m.test, output)
			default:
				noticed++
			}
		})
	}
	t.Logf("campaign: rules switched off: %d of %d, noticed by their tests: %d", tried, len(allMutants), noticed)
}

// apply returns the file's path and its text with the rule switched off.
func (m mutant) apply() (path, changed string, err error) {
	if path, err = filepath.Abs(filepath.Join(top, filepath.FromSlash(m.file))); err != nil {
		return "", "", err
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return "", "", err
	}
	if n := strings.Count(string(source), m.old); n != 1 {
		return "", "", fmt.Errorf("%q stands %d times in %s, not once", m.old, n, m.file)
	}
	return path, strings.Replace(string(source), m.old, m.new, 1), nil
}

// run tests the module with the mutant laid over its file. The overlay travels in
// GOFLAGS, so that a provider which the test builds itself has it too.
func (m mutant) run(t *testing.T) (string, error) {
	t.Helper()
	path, text, err := m.apply()
	if err != nil {
		return "", err
	}
	folder := t.TempDir()
	changed := filepath.Join(folder, filepath.Base(path))
	if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(t.Context(), mutantTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "go", "test", "-count=1", "-run", "^"+m.test+"$", "./"+m.room)
	command.Dir = top
	// A campaign has to notice with the share that every run does. What a mutant fails
	// at is nobody's to try again, so rapid keeps nothing of it.
	command.Env = append(os.Environ(), "KAFKASTORAGE_CAMPAIGN=", "RAPID_NOFAILFILE=1", "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+list))
	output, err := command.CombinedOutput()
	if strings.Contains(string(output), "[build failed]") || ctx.Err() != nil {
		return string(output), fmt.Errorf("the mutant does not build, or takes too long: %w", err)
	}
	return string(output), nil
}
